/** Loads an output as a file. Rejects if it is no longer stored. */
export async function fetchFile(link: string, name: string): Promise<File> {
  const response = await fetch(link);
  if (!response.ok) throw new Error('This output is no longer stored.');
  const blob = await response.blob();
  return new File([blob], name, { type: blob.type });
}
