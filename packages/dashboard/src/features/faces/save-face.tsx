import { FACE_FORM } from '@guise/contract/ai-tasks/forms.ts';
import { AI_TASKS_LIMITS } from '@guise/contract/limits.ts';
import { Alert, Button, Group, Input, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { ApiError } from '../../api/account.ts';
import { saveFace } from '../../api/faces.ts';
import { slotOf } from '../../workflows/slot.ts';
import { FileList } from '../swap/file-list.tsx';
import { usePaste } from '../swap/state/use-paste.ts';

/** Place of the photos. */
const SLOT = slotOf(FACE_FORM, 'photos', 'Photos of the person');

/** The form that saves a face. What the service refuses is said at the field that it names. */
export function SaveFace({ onSaved }: { onSaved: () => void }) {
  const [photos, setPhotos] = useState<readonly File[]>([]);
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  const refused = error === null ? null : sentence(error.message);
  const field = error?.field?.replace(/\[.*/, '');
  const errorOf = (name: string): string | null => (field === name ? refused : null);
  const choose = (next: readonly File[]): void => {
    setPhotos(next);
    setError(null);
  };
  usePaste((files) => choose([...photos, ...files].slice(0, AI_TASKS_LIMITS.facePhotos)));
  const send = async (form: HTMLFormElement): Promise<void> => {
    setIsBusy(true);
    setError(null);
    try {
      if (photos.length === 0) throw new ApiError(400, { error: 'Choose a photo first.', field: 'photos' });
      const texts = new FormData(form);
      await saveFace({ photos, name: String(texts.get('name')), consent: String(texts.get('consent')) });
      form.reset();
      setPhotos([]);
      onSaved();
    } catch (failure) {
      setError(failure as ApiError);
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
            Photos
          </Input.Label>
          <FileList
            label={SLOT.label}
            accept={SLOT.accept}
            files={photos}
            most={AI_TASKS_LIMITS.facePhotos}
            size="medium"
            noteOf={(index) =>
              error?.field === `photos[${index}]`
                ? { tone: 'error', label: 'Not possible', text: refused! }
                : undefined
            }
            onChange={choose}
          />
          {errorOf('photos') === null ? (
            <Text size="xs" c="dimmed" mt={4}>
              1 to {AI_TASKS_LIMITS.facePhotos} photos of one person. More photos make results more like them.
            </Text>
          ) : (
            <Input.Error role="alert" mt={4}>
              {refused}
            </Input.Error>
          )}
        </div>
        <TextInput
          label="Name"
          description="By which you find the face."
          name="name"
          required
          maxLength={AI_TASKS_LIMITS.faceNameLength}
          error={errorOf('name')}
        />
        <Textarea
          label="Consent"
          description="Who agreed to the use of this face, and how: a sentence, or a reference to a document."
          name="consent"
          required
          rows={3}
          maxLength={AI_TASKS_LIMITS.consentLength}
          error={errorOf('consent')}
        />
        {refused !== null && !['photos', 'name', 'consent'].includes(field ?? '') && (
          <Alert color="red" role="alert">
            {refused}
          </Alert>
        )}
        <Group>
          <Button type="submit" loading={isBusy}>
            Save the face
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
