import { FACE_FORM } from '@guise/contract/ai-tasks/forms.ts';
import { AI_TASKS_LIMITS } from '@guise/contract/limits.ts';
import { guise } from '../../api/ai-tasks.ts';
import { FaceForm } from './face-form.tsx';

/** The form that saves a face. */
export function SaveFace({ onSaved }: { onSaved: () => void }) {
  return (
    <FaceForm
      form={FACE_FORM}
      photos={{
        label: 'Photos',
        slot: 'Photos of the person',
        description: `1 to ${AI_TASKS_LIMITS.facePhotos} photos of one person. More photos make results more like them.`,
      }}
      name={{ label: 'Name', description: 'By which you find the face.' }}
      text={{
        label: 'Consent',
        description: 'Who agreed to the use of this face, and how: a sentence, or a reference to a document.',
      }}
      submit="Save the face"
      onSend={async (body) => {
        await guise.faces.save(body);
        onSaved();
      }}
    />
  );
}
