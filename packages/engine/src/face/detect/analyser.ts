import type { RgbImage } from '@guise/kernels/image.ts';
import type { ImagePyramid } from '@guise/kernels/scale/pyramid.ts';
import { pyramidOf } from '@guise/kernels/scale/pyramid.ts';
import type { Sessions } from '../../models/sessions.ts';
import type { Box } from '../geometry/box.ts';
import { boxOfPoints, intersectionOverSmaller, intersectionOverUnion } from '../geometry/box.ts';
import { loadCanonicalFace } from '../geometry/canonical-face.ts';
import { embedFace, embedFaceres } from './embedding.ts';
import { MESH_VERTEX_COUNT } from '../geometry/face.ts';
import type { Face } from '../geometry/face.ts';
import type { HandFinder } from '../geometry/hand.ts';
import { createHandFinder } from '../hands/find-hands.ts';
import { byPosition } from './face-order.ts';
import type { MeshReading } from './landmarks.ts';
import { readMesh, refineIrises } from './landmarks.ts';
import { refineLowerLip } from './lower-lip.ts';
import { poseOfMesh } from '../geometry/pose.ts';
import { largestFace } from './largest-face.ts';
import { proposeClear, proposeLarge, proposeRotated, proposeUpright } from './proposals.ts';
import type { Proposal } from './proposals.ts';
import type { Region } from '../geometry/region.ts';
import { MESH_REGION_SCALE, regionOfMesh } from '../geometry/region.ts';
import { verifyCoveredFace, verifyProposal } from './verification.ts';

export interface FaceAnalyser {
  /**
   * Returns every face, left to right by the centre of its box, and top to bottom in the same
   * column. The position of a face is its faceIndex.
   */
  detect(image: RgbImage): Promise<Face[]>;
  /**
   * Finds the largest face of a portrait, at a lower cost than `detect`. Returns null if there is
   * no large upright face; then call `detect`.
   */
  detectPortrait(image: RgbImage): Promise<Face | null>;
  /**
   * Returns clear upright faces of a video's frame except those that are already followed (`known`
   * boxes), at a tenth of the cost of `detect`. Small faces may be missed. If some faces are
   * followed, these are all faces below a sixteenth of the longer side.
   */
  detectBeside(image: RgbImage, known: readonly Box[]): Promise<Face[]>;
  /** Finds a face a moment later from its last landmarks. Returns null if it is gone. */
  track(image: RgbImage, previous: Face): Promise<Face | null>;
  /**
   * Reads the mesh of a face in a video's frame, at a much lower cost than `track`. The irises are
   * the mesh's own.
   */
  readMesh(pyramid: ImagePyramid, region: Region): Promise<MeshReading>;
  /** Finds hands in front of or next to a face. The cost is low if nothing looks like a hand. */
  readonly hands: HandFinder;
  /**
   * Returns 128 numbers that describe a person's identity. Two faces of one person have a Euclidean
   * distance below about 0.6.
   */
  embed(image: RgbImage, face: Pick<Face, 'landmarks'>): Promise<Float32Array>;
  /**
   * Returns 1024 numbers of a second network, which are compared by cosine. Use this only for
   * measurements, because the network starts slowly.
   */
  embedWithSecondJudge(image: RgbImage, face: Face): Promise<Float32Array>;
}

/** Intersection over union of two meshes above which both show one face. */
const SAME_MESH_OVERLAP = 0.4;
/** Share of a mesh inside another above which both show one face. */
const MESH_INSIDE_OVERLAP = 0.75;
/** Roll above which a head lies on its side, radians. */
const LYING_RADIANS = Math.PI / 3;
/** Score of the mesh below which a tracked face is lost. */
const MIN_TRACKED_SCORE = 0.5;

/** A face without its irises and pose. */
interface VerifiedFace {
  readonly landmarks: Float32Array;
  readonly score: number;
}

/**
 * Creates the face analysis of one engine. Calls may overlap; the networks run one after the other.
 */
export function createFaceAnalyser(sessions: Sessions): FaceAnalyser {
  return {
    async detect(image) {
      const pyramid = pyramidOf(image);
      const verified = await findFaces(sessions, pyramid);
      const faces: Face[] = [];
      for (const face of verified) faces.push(await completeFace(sessions, pyramid, face));
      return faces.sort(byPosition);
    },
    async detectPortrait(image) {
      const pyramid = pyramidOf(image);
      const proposals = await proposeLarge(sessions.blazeface, pyramid);
      const verified = await verifyAll(
        proposals,
        (proposal) => verifyProposal(sessions.faceLandmarks, pyramid, proposal),
        [],
      );
      const faces: Face[] = [];
      for (const face of verified.filter(isUpright)) faces.push(await completeFace(sessions, pyramid, face));
      return largestFace(faces) ?? null;
    },
    async detectBeside(image, known) {
      const pyramid = pyramidOf(image);
      const proposals = await proposeClear(sessions.blazeface, pyramid, known.length > 0);
      const verified = await verifyAll(
        proposals.filter((proposal) => !known.some((box) => isSameBox(box, proposal))),
        (proposal) => verifyProposal(sessions.faceLandmarks, pyramid, proposal),
        [],
      );
      const faces: Face[] = [];
      for (const face of verified) faces.push(await completeFace(sessions, pyramid, face));
      return faces;
    },
    async track(image, previous) {
      const pyramid = pyramidOf(image);
      const region = regionOfMesh(previous.landmarks, MESH_REGION_SCALE);
      const reading = await readMesh(sessions.faceLandmarks, pyramid, region);
      return reading.score < MIN_TRACKED_SCORE ? null : completeFace(sessions, pyramid, reading);
    },
    readMesh: (pyramid, region) => readMesh(sessions.faceLandmarks, pyramid, region),
    hands: createHandFinder(sessions.handLandmarks),
    embed: (image, face) => embedFace(sessions.faceRecognition, image, face),
    embedWithSecondJudge: async (image, face) => embedFaceres(await sessions.faceres(), image, face),
  };
}

/**
 * Finds upright faces. If there are none, or all lie on their side or upside down, also searches
 * turned views of the image. If it still finds none, searches for one face that is partly covered.
 */
async function findFaces(
  { blazeface, faceLandmarks }: Sessions,
  pyramid: ImagePyramid,
): Promise<VerifiedFace[]> {
  const upright = await proposeUpright(blazeface, pyramid);
  const verify = (proposal: Proposal): Promise<Float32Array | null> =>
    verifyProposal(faceLandmarks, pyramid, proposal);
  const faces = await verifyAll(upright, verify, []);
  if (faces.some(isUpright)) return faces;
  const rotated = await verifyAll(await proposeRotated(blazeface, pyramid), verify, faces);
  if (rotated.length > 0) return rotated;
  const covered = await verifyAll(
    upright,
    (proposal) => verifyCoveredFace(faceLandmarks, pyramid, proposal),
    [],
  );
  return covered.slice(0, 1);
}

/**
 * Returns the `known` faces and the proposals (best first) that `verify` confirms, each face once.
 */
async function verifyAll(
  proposals: readonly Proposal[],
  verify: (proposal: Proposal) => Promise<Float32Array | null>,
  known: readonly VerifiedFace[],
): Promise<VerifiedFace[]> {
  const kept = [...known];
  for (const proposal of proposals) {
    const landmarks = await verify(proposal);
    if (landmarks && !kept.some((other) => isSameFace(other.landmarks, landmarks))) {
      kept.push({ landmarks, score: proposal.score });
    }
  }
  return kept;
}

async function completeFace(
  sessions: Sessions,
  pyramid: ImagePyramid,
  { landmarks, score }: VerifiedFace,
): Promise<Face> {
  await refineIrises(sessions.iris, pyramid, landmarks);
  refineLowerLip(pyramid, landmarks);
  const { left, top, right, bottom } = boxOfPoints(landmarks, MESH_VERTEX_COUNT);
  return {
    box: { x: left, y: top, width: right - left, height: bottom - top },
    score,
    landmarks,
    pose: poseOfMesh(landmarks, await loadCanonicalFace()),
  };
}

function isUpright({ landmarks }: VerifiedFace): boolean {
  return Math.abs(regionOfMesh(landmarks, MESH_REGION_SCALE).angle) < LYING_RADIANS;
}

function isSameFace(a: Float32Array, b: Float32Array): boolean {
  return isSameBox(boxOfPoints(a, MESH_VERTEX_COUNT), boxOfPoints(b, MESH_VERTEX_COUNT));
}

function isSameBox(a: Box, b: Box): boolean {
  return (
    intersectionOverUnion(a, b) > SAME_MESH_OVERLAP || intersectionOverSmaller(a, b) > MESH_INSIDE_OVERLAP
  );
}
