/** A face of a group photo or clip to replace: `targetFace` becomes `targetFace0`, and so on. */
type Face = Readonly<Record<string, unknown>>;

/**
 * Writes a form as the service reads it: files as they are, lists as one field many times, objects
 * as JSON, and the members of `faces` with their number (`faceBox0`, ...). Leaves out what is
 * undefined.
 */
export function toFormData(form: object): FormData {
  const data = new FormData();
  for (const [field, value] of Object.entries(form) as [string, unknown][]) {
    if (field === 'faces') {
      for (const [index, face] of (value as readonly Face[]).entries())
        for (const [member, each] of Object.entries(face)) add(data, `${member}${index}`, each);
    } else {
      for (const each of Array.isArray(value) ? (value as unknown[]) : [value]) add(data, field, each);
    }
  }
  return data;
}

/** Returns a form that is ready as it is, and writes any other. */
export function formOf(form: object): FormData {
  return form instanceof FormData ? form : toFormData(form);
}

function add(data: FormData, field: string, value: unknown): void {
  if (value === undefined) return;
  if (value instanceof Blob) data.append(field, value);
  else data.append(field, typeof value === 'object' ? JSON.stringify(value) : String(value));
}
