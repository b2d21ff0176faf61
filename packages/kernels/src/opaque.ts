/**
 * Opacity from which the pixels under a texture would show by less than a level. The kernel of
 * drawTriangles has a copy of it.
 */
export const OPAQUE = 0.996;
