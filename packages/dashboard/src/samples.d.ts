/** Pictures of packages/engine/assets/faces, by their address in the built dashboard. */
declare module 'guise-samples/*.jpg' {
  const address: string;
  export default address;
}
