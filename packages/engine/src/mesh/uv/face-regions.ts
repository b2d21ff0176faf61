/**
 * Parts of the 468-vertex mesh as rings of vertex numbers (MediaPipe's numbering). "Right" is the
 * person's right, the image's left.
 */
/** Outline of the face. */
export const FACE_OVAL = [
  10, 338, 297, 332, 284, 251, 389, 356, 454, 323, 361, 288, 397, 365, 379, 378, 400, 377, 152, 148, 176, 149,
  150, 136, 172, 58, 132, 93, 234, 127, 162, 21, 54, 103, 67, 109,
] as const;

/** Inner edge of the lips. */
export const INNER_LIPS = [
  78, 191, 80, 81, 82, 13, 312, 311, 310, 415, 308, 324, 318, 402, 317, 14, 87, 178, 88, 95,
] as const;
/** Outer edge of the lips. */
export const OUTER_LIPS = [
  61, 185, 40, 39, 37, 0, 267, 269, 270, 409, 291, 375, 321, 405, 314, 17, 84, 181, 91, 146,
] as const;

/** Outer edge of the lower lip, from the right corner to the left. */
export const LOWER_LIP_EDGE = [61, 146, 91, 181, 84, 17, 314, 405, 321, 375, 291] as const;
/** Lower lip with both corners. */
export const LOWER_LIP = [...LOWER_LIP_EDGE, 308, 324, 318, 402, 317, 14, 87, 178, 88, 95, 78] as const;

/** Edges of the right eye's lids, around the eyeball. */
export const RIGHT_EYE = [
  33, 7, 163, 144, 145, 153, 154, 155, 133, 173, 157, 158, 159, 160, 161, 246,
] as const;
/** Edges of the left eye's lids. */
export const LEFT_EYE = [
  362, 382, 381, 380, 374, 373, 390, 249, 263, 466, 388, 387, 386, 385, 384, 398,
] as const;
/** Right eye's lids with their lashes, one ring outside the eye. */
export const RIGHT_LIDS = [130, 247, 30, 29, 27, 28, 56, 190, 243, 112, 26, 22, 23, 24, 110, 25] as const;
/** Left eye's lids with their lashes. */
export const LEFT_LIDS = [
  359, 467, 260, 259, 257, 258, 286, 414, 463, 341, 256, 252, 253, 254, 339, 255,
] as const;

/** Right brow. */
export const RIGHT_BROW = [70, 63, 105, 66, 107, 55, 65, 52, 53, 46] as const;
/** Left brow. */
export const LEFT_BROW = [300, 293, 334, 296, 336, 285, 295, 282, 283, 276] as const;

/**
 * Nose from between the eyes to the upper lip, with both wings, as a list of vertices and not a
 * ring.
 */
export const NOSE = [
  6, 197, 195, 5, 4, 1, 19, 94, 2, 98, 97, 326, 327, 48, 278, 64, 294, 129, 358, 49, 279, 131, 360, 198, 420,
  236, 456, 3, 248, 51, 281, 196, 419, 122, 351, 174, 399, 115, 344, 220, 440, 45, 275,
] as const;
/** Hole of the right nostril. */
export const RIGHT_NOSTRIL = [98, 240, 75, 166, 79, 238, 20, 242, 97] as const;
/** Hole of the left nostril. */
export const LEFT_NOSTRIL = [327, 460, 305, 392, 309, 458, 250, 462, 326] as const;

/** Rings of skin that is almost always bare: cheeks, bridge of the nose, chin. */
export const CORE_SKIN = [
  [50, 101, 118, 117, 123, 187, 205, 36],
  [280, 330, 347, 346, 352, 411, 425, 266],
  [6, 122, 196, 3, 51, 5, 281, 248, 419, 351],
  [200, 201, 208, 171, 175, 396, 428, 421],
] as const;
/** Number of rings at the start of `CORE_SKIN` that no beard covers. */
export const BEARDLESS_CORE_COUNT = 3;

/** Ends of the face's midline. */
export const [TOP, CHIN] = [10, 152] as const;
/** Middle of the upper lip's outer edge. */
export const UPPER_LIP = 0;
/** Middle of the lower lip's outer edge. */
export const LIP = 17;
/** Ends of the face beside the ears, the right one first. */
export const SIDES = [127, 356] as const;
/** Corners of the mouth, the right one first. */
export const MOUTH_CORNERS = [61, 291] as const;
/** Outer and inner corner of the right eye. */
export const RIGHT_EYE_CORNERS = [33, 133] as const;
/** Inner and outer corner of the left eye. */
export const LEFT_EYE_CORNERS = [362, 263] as const;

/**
 * Both eyes, the person's right one first: vertices along the lids' edges, corners, and the first
 * landmark of the iris.
 */
export const EYES = [
  { ring: RIGHT_EYE, corners: RIGHT_EYE_CORNERS, iris: 468 },
  { ring: LEFT_EYE, corners: LEFT_EYE_CORNERS, iris: 473 },
] as const;
