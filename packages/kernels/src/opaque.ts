/**
 * Opacity from which the pixels under a texture change the result by less than a level. The kernel
 * of drawTriangles has a copy of this value.
 */
export const OPAQUE = 0.996;
