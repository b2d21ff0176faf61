import type { DetectPersonsBody } from '@guise/contract/ai-tasks/schemas.ts';
import { useEffect, useState } from 'react';

type Persons = DetectPersonsBody['persons'];

/** Side of a crop in pixels: twice its size on the page, for dense screens. */
const CROP_PX = 112;
/** Side of a crop in sides of the face's box. */
const MARGIN = 1.5;

/**
 * Cuts the people's faces out of a video, by their numbers. Has none if the browser cannot play the
 * file, as for a GIF.
 */
export function useFaceCrops(url: string | null, persons: Persons): ReadonlyMap<number, string> {
  const [crops, setCrops] = useState<ReadonlyMap<number, string>>(new Map());
  useEffect(() => {
    setCrops(new Map());
    if (url === null || persons.length === 0) return undefined;
    const video = document.createElement('video');
    let isCurrent = true;
    const cut = async (): Promise<void> => {
      video.muted = true;
      video.src = url;
      await happens(video, 'loadeddata');
      for (const person of persons) {
        video.currentTime = person.atSeconds;
        await happens(video, 'seeked');
        if (!isCurrent) return;
        const crop = cropOf(video, person.faceBox);
        setCrops((before) => new Map([...before, [person.personIndex, crop]]));
      }
    };
    cut().catch(() => {});
    return () => {
      isCurrent = false;
      video.removeAttribute('src');
    };
  }, [url, persons]);
  return crops;
}

function happens(video: HTMLVideoElement, event: string): Promise<void> {
  return new Promise((resolve, reject) => {
    video.addEventListener(event, () => resolve(), { once: true });
    video.addEventListener('error', () => reject(new Error('The video cannot be played.')), { once: true });
  });
}

function cropOf(video: HTMLVideoElement, { x, y, width, height }: Persons[number]['faceBox']): string {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = CROP_PX;
  const side = MARGIN * Math.max(width, height);
  const [left, top] = [x + width / 2 - side / 2, y + height / 2 - side / 2];
  canvas.getContext('2d')!.drawImage(video, left, top, side, side, 0, 0, CROP_PX, CROP_PX);
  return canvas.toDataURL('image/jpeg', 0.85);
}
