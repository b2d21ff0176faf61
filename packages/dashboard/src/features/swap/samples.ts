import face from 'guise-samples/source.jpg';
import scene from 'guise-samples/target.jpg';

/** Two computer-generated people, of whom nobody has to be asked. */
export const SAMPLES = { face, scene } as const;

/** Loads a sample as a file. */
export async function loadSample(url: string, name: string): Promise<File> {
  const response = await fetch(url);
  if (!response.ok) throw new Error('The sample could not be loaded.');
  return new File([await response.blob()], name, { type: 'image/jpeg' });
}
