/**
 * `npm run client-types`: writes the types of the clients from docs/openapi*.json; `--check` only
 * checks that they are current.
 */
import { API_DESCRIPTION } from '@guise/contract/ai-tasks/openapi.ts';
import { V1_DESCRIPTION } from '@guise/contract/v1/openapi.ts';
import { NamedTypes, type Schema } from './named-types.ts';
import { printPythonForms, printPythonTypes } from './print-python.ts';
import { printTypeScript } from './print-typescript.ts';
import { writePage } from '../generated-page.ts';

/** The names of the forms, by operation. */
const FORMS: Readonly<Record<string, string>> = {
  createPhotoTask: 'Photo',
  createBatchTask: 'Batch',
  createGroupTask: 'Group',
  createVideoTask: 'Video',
  createGifTask: 'Gif',
  detectFaces: 'Detection',
  saveFace: 'Face',
};

interface Operation {
  readonly operationId: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

const { paths, components } = API_DESCRIPTION as unknown as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};
const types = new NamedTypes();
for (const [name, schema] of Object.entries(components.schemas)) types.addComponent(name, schema);
for (const { operationId, requestBody } of Object.values(paths).flatMap((each) => Object.values(each))) {
  const form = requestBody?.content['multipart/form-data']?.schema;
  const name = FORMS[operationId];
  if (form !== undefined && name !== undefined) types.addForm(name, form);
}
const { WebhookEvent } = V1_DESCRIPTION.components.schemas as unknown as Record<'WebhookEvent', Schema>;
types.addComponent('WebhookEvent', WebhookEvent);
writePage('packages/client/src/api-types.ts', printTypeScript(types.all), 'client-types');
writePage('clients/python/guise/types.py', printPythonTypes(types.all), 'client-types');
writePage('clients/python/guise/_forms.py', printPythonForms(types.all), 'client-types');
