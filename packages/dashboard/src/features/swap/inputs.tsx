import type { DetectedPersons, Quote } from '@guise/client';
import { AI_TASKS_LIMITS } from '@guise/contract/limits.ts';
import { Stack, Text } from '@mantine/core';
import { Suspense } from 'react';
import { lazyPart } from '../../ui/lazy-part.ts';
import { Loading } from '../../ui/part-boundary.tsx';
import { SLOTS } from '../../workflows/workflows.ts';
import { fileKey } from './file-key.ts';
import { FileList } from './file-list.tsx';
import { FileTile } from './file-tile.tsx';
import type { Draft, SwapKind } from './state/draft.ts';
import { changeDraft } from './state/draft-store.ts';
import type { Note, Place } from './state/notes.ts';
import type { Look } from './state/use-look.ts';
import { useSavedFaces } from './state/use-saved-faces.ts';

const FaceSlot = lazyPart(async () => (await import('./face-slot.tsx')).FaceSlot);
const SavedFaceMenu = lazyPart(async () => (await import('./face-slot.tsx')).SavedFaceMenu);
const FilmPanel = lazyPart(async () => (await import('./film-panel.tsx')).FilmPanel);
const GroupMapper = lazyPart(async () => (await import('./group-mapper.tsx')).GroupMapper);

/** Largest number of photos of one person that a photo or a video takes. */
const MAX_FACES = 1 + AI_TASKS_LIMITS.additionalSourceImages;

interface InputsProps {
  readonly kind: SwapKind;
  readonly draft: Draft;
  readonly film: Look<DetectedPersons>;
  readonly notes: ReadonlyMap<Place, Note>;
  /** The faces that were found, by form field. */
  readonly faces: Quote['faces'];
}

/** The places for faces, and for what is changed. */
export function Inputs({ kind, draft, film, notes, faces: found }: InputsProps) {
  const { faces, savedFace, photo, photos, group, mappings } = draft;
  const saved = useSavedFaces();
  const slot = kind === 'batch' ? SLOTS.batchFaces : kind === 'film' ? SLOTS.filmFace : SLOTS.face;
  // Each person of a film has a place of its own.
  const hasCards = kind === 'film' && (film.found?.persons.length ?? 0) > 1;
  return (
    <>
      {kind !== 'group' && !hasCards && (
        <section>
          <Text fw={600} mb={6}>
            {kind === 'batch' ? 'Faces' : 'Face'}
          </Text>
          {savedFace === null ? (
            <FileList
              {...slot}
              files={faces}
              most={kind === 'batch' ? AI_TASKS_LIMITS.batchFieldImages : MAX_FACES}
              size="medium"
              noteOf={(index) => notes.get(`face ${index}`)}
              onChange={(next) => changeDraft({ faces: next })}
            />
          ) : (
            <Suspense fallback={null}>
              <FaceSlot
                {...slot}
                face={savedFace}
                saved={saved}
                note={notes.get('face 0')}
                onFace={() => changeDraft({ savedFace: null })}
              />
            </Suspense>
          )}
          {kind !== 'batch' && faces.length > 0 && faces.length < MAX_FACES && (
            <Text size="xs" c="dimmed" mt={4}>
              More photos of the same person make the result more like them.
            </Text>
          )}
          {faces.length === 0 && savedFace === null && saved.length > 0 && (
            <Suspense fallback={null}>
              <SavedFaceMenu
                label={slot.label}
                saved={saved}
                onChoose={(face) => changeDraft({ savedFace: face })}
              />
            </Suspense>
          )}
        </section>
      )}
      <section>
        <Text fw={600} mb={6}>
          {{ photo: 'Photo', batch: 'Photos', group: 'Group photo', film: 'Video or GIF' }[kind]}
        </Text>
        {kind === 'photo' && (
          <FileTile
            {...SLOTS.photo}
            file={photo}
            size="large"
            faces={found.targetImage ?? []}
            note={notes.get('target 0')}
            onFiles={([file]) => changeDraft({ photo: file! })}
            onRemove={() => changeDraft({ photo: null })}
          />
        )}
        {kind === 'batch' && (
          <FileList
            {...SLOTS.photos}
            files={photos}
            most={AI_TASKS_LIMITS.batchFieldImages}
            size="medium"
            noteOf={(index) => notes.get(`target ${index}`)}
            onChange={(next) => changeDraft({ photos: next })}
          />
        )}
        {kind === 'group' && (
          <Stack gap="sm">
            <FileTile
              {...SLOTS.group}
              file={group}
              size={group === null ? 'large' : 'small'}
              note={notes.get('target 0')}
              onFiles={([file]) => changeDraft({ group: file! })}
              onRemove={() => changeDraft({ group: null })}
            />
            {group !== null && (
              <Suspense fallback={<Loading />}>
                <GroupMapper
                  key={fileKey(group)}
                  photo={group}
                  mappings={mappings}
                  saved={saved}
                  noteOf={(index) => notes.get(`mapped ${index}`)}
                  onChange={(next) => changeDraft({ mappings: next })}
                />
              </Suspense>
            )}
          </Stack>
        )}
        {kind === 'film' && (
          <Suspense fallback={<Loading />}>
            <FilmPanel
              key={draft.film === null ? 'none' : fileKey(draft.film)}
              draft={draft}
              film={film}
              saved={saved}
            />
          </Suspense>
        )}
      </section>
    </>
  );
}
