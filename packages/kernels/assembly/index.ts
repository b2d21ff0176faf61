export { boxBlur } from './box-blur';
export { enlargeSquare } from './enlarge';
export { halveImage, halvePlane } from './halve';
export { normalisedBlur, pull, pullWeight, push, sumOf } from './normalise';
export { warpToPlanes } from './warp';
export { addRgbDifference, yuvToRgb } from './yuv';
export { copy } from './copy';
