import { halveImage as plainHalveImage } from '../plain/halve-image.ts';
import { warpImage as plainWarpImage } from '../plain/warp-to-planes.ts';
import { halveImage } from '../scale/halve-image.ts';
import { warpImage } from '../scale/warp.ts';
import { noiseBytes } from './case-noise.ts';
import { type ArrayMaker, type KernelCase, RELATIVE } from './kernel-case.ts';

export function imageCases(make: ArrayMaker, width: number, height: number): KernelCase[] {
  const count = width * height;
  const image = { data: noiseBytes(make.bytes(3 * count), 5), width, height };
  const [a, b] = [make.floats(3 * count), make.floats(3 * count)];
  const format = { scale: 1 / 127.5, offset: [-1, -0.5, 0.25], order: 'bgr', outside: 'black' } as const;
  const toImage = [0.8, -0.31, width * 0.22, 0.31, 0.8, -height * 0.07] as const;
  return [
    {
      name: 'halve an image',
      pixels: count,
      bytes: (15 * count) / 4,
      tolerance: 0,
      kernel: () => [halveImage(image).data],
      reference: () => [plainHalveImage(image).data],
    },
    {
      name: 'warp to float planes',
      pixels: count,
      bytes: 15 * count,
      tolerance: RELATIVE,
      kernel: () => (warpImage(image, toImage, width, height, format, a), [a]),
      reference: () => (plainWarpImage(image, toImage, width, height, format, b), [b]),
    },
  ];
}
