import { AlertIcon } from '@primer/octicons-react';
import type { Note } from './state/notes.ts';

/** A small label on a file. A click shows the whole sentence. */
export function NoteChip({ note }: { note: Note }) {
  return (
    <details className="chip" data-tone={note.tone}>
      <summary>
        <AlertIcon size={12} /> {note.label}
      </summary>
      <p>{note.text}</p>
    </details>
  );
}
