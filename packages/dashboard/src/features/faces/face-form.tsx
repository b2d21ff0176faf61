import { GuiseError } from '@guise/client';
import type { FileField, FormDeclaration, TextField } from '@guise/contract/ai-tasks/form.ts';
import { Button, Group, Input, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { slotOf } from '../../workflows/slot.ts';
import { FileList } from '../swap/file-list.tsx';
import { usePaste } from '../swap/state/use-paste.ts';
import { Failure } from '../../ui/failure.tsx';

/** What the page says about a field. */
interface Words {
  readonly label: string;
  readonly description: string;
}

interface FaceFormProps {
  readonly form: FormDeclaration & { readonly fields: readonly [FileField, TextField, TextField] };
  readonly photos: Words & { readonly slot: string };
  readonly name: Words;
  readonly text: Words;
  readonly submit: string;
  /** Sends the form, which is emptied if that succeeds. */
  readonly onSend: (body: FormData) => Promise<unknown>;
}

/**
 * A form of photos of a person, a name and a longer text. What the service refuses is said at the
 * field that it names.
 */
export function FaceForm({ form, photos: ofPhotos, name: ofName, text: ofText, ...rest }: FaceFormProps) {
  const { submit, onSend } = rest;
  const [photosField, nameField, textField] = form.fields;
  const { name: photosName, maxFiles = 1 } = photosField;
  const slot = slotOf(form, photosName, ofPhotos.slot);
  const [photos, setPhotos] = useState<readonly File[]>([]);
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<GuiseError | null>(null);
  const refused = error === null ? null : sentence(error.message);
  const field = error?.field?.replace(/\[.*/, '') ?? '';
  const errorOf = (name: string): string | null => (field === name ? refused : null);
  const choose = (next: readonly File[]): void => {
    setPhotos(next);
    setError(null);
  };
  usePaste((files) => choose([...photos, ...files].slice(0, maxFiles)));
  const send = async (element: HTMLFormElement): Promise<void> => {
    setIsBusy(true);
    setError(null);
    try {
      if (photos.length === 0)
        throw new GuiseError(400, { error: 'Choose a photo first.', field: photosName });
      const body = new FormData(element);
      for (const photo of photos) body.append(photosName, photo);
      await onSend(body);
      element.reset();
      setPhotos([]);
    } catch (failure) {
      setError(failure as GuiseError);
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <form
      onSubmit={(event: SubmitEvent<HTMLFormElement>) => {
        event.preventDefault();
        void send(event.currentTarget);
      }}
    >
      <Stack>
        <div>
          <Input.Label component="div" mb={6}>
            {ofPhotos.label}
          </Input.Label>
          <FileList
            label={slot.label}
            accept={slot.accept}
            files={photos}
            most={maxFiles}
            size="medium"
            noteOf={(index) =>
              error?.field === `${photosName}[${index}]`
                ? { tone: 'error', label: 'Not possible', text: refused! }
                : undefined
            }
            onChange={choose}
          />
          {errorOf(photosName) === null ? (
            <Text size="xs" c="dimmed" mt={4}>
              {ofPhotos.description}
            </Text>
          ) : (
            <Input.Error role="alert" mt={4}>
              {refused}
            </Input.Error>
          )}
        </div>
        <TextInput
          {...ofName}
          name={nameField.name}
          required
          maxLength={nameField.maxLength}
          error={errorOf(nameField.name)}
        />
        <Textarea
          {...ofText}
          name={textField.name}
          required
          rows={3}
          maxLength={textField.maxLength}
          error={errorOf(textField.name)}
        />
        {refused !== null && !form.fields.some(({ name }) => name === field) && <Failure>{refused}</Failure>}
        <Group>
          <Button type="submit" loading={isBusy}>
            {submit}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Returns a message that counts photos from 1 in place of naming form fields. */
function sentence(message: string): string {
  const counted = message.replaceAll(/photos\[(\d+)\]/g, (_, index) => `photo ${Number(index) + 1}`);
  return counted[0]!.toUpperCase() + counted.slice(1);
}
