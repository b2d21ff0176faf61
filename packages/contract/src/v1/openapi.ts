export const V1_DESCRIPTION = {};
