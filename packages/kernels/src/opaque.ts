/**
 * From this opacity on, what lies under a texture would show by less than a level. The kernel of
 * drawTriangles has its own.
 */
export const OPAQUE = 0.996;
