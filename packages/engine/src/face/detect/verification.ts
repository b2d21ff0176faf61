import type { ImagePyramid } from '@guise/kernels/scale/pyramid.ts';
import type { Model } from '../../models/model.ts';
import { boxOfPoints, intersectionOverUnion } from '../geometry/box.ts';
import { MESH_VERTEX_COUNT } from '../geometry/face.ts';
import { readMesh } from './landmarks.ts';
import type { MeshReading } from './landmarks.ts';
import type { Proposal } from './proposals.ts';
import { MESH_REGION_SCALE, regionOfMesh } from '../geometry/region.ts';
import type { Region } from '../geometry/region.ts';

/*
 * The landmark model's logit decides. Measured on the group, portrait and no-face fixtures: clear
 * faces have 18 to 40, faces read upside down or on their side at most 15, things that look like
 * faces at most 13, hard faces (profiles, blur, hands) 5 to 18. Between 5 and 18, two more signs
 * decide: the detector's own score, and whether the mesh stays in its place from crop to crop. On
 * faces it stays within about 1 % of its size; on other things it drifts by 3 to 25 %.
 */
/** Logit from which a face is clear. */
const CLEAR_LOGIT = 18;
/** Logit from which a face is fair. */
const FAIR_LOGIT = 10;
/** Logit below which a proposal is not a face. */
const MIN_LOGIT = 5;
/**
 * Intersection over union of mesh and detector's box below which the mesh has moved to another
 * thing.
 */
const MIN_MESH_ON_BOX_OVERLAP = 0.25;

/** Detector's score from which a face is likely. */
const LIKELY_SCORE = 0.5;
/** Detector's score from which a large face is likely. */
const LIKELY_SCORE_LARGE = 0.6;
/** Size of a mesh from which a face is large. */
const LARGE_FACE_PX = 60;
/** Number of passes that must have found a face of a lower score for it to count as likely. */
const ENOUGH_SUPPORT = 2;
/**
 * Largest drift of a likely, fair face from the first to the second reading, and from the second to
 * the third, in sizes of the mesh.
 */
const LIKELY_FAIR_FACE = { firstDrift: Infinity, secondDrift: 0.025 };
/** Largest drift of a likely face with a poor logit. */
const LIKELY_POOR_FACE = { firstDrift: Infinity, secondDrift: 0.012 };
/** Largest drift of an unlikely face. */
const UNLIKELY_FACE = { firstDrift: 0.02, secondDrift: 0.01 };

/** Limits for a covered face (by a hand, a mask), whose second reading may fail. */
const COVERED_FACE = { score: 0.5, firstLogit: 2.2, overlap: 0.7, drift: 0.03 };
/**
 * Second look around a covered face, wider by `scale` and moved `up` towards the forehead, in sides
 * of the region before. The uncovered part (nose and cheeks below dark glasses) looks like a small
 * whole face.
 */
const WIDER_LOOK = { scale: 1.4, up: 0.2, drift: 0.025 };

/** Returns the landmarks of a proposed face, or null if it is not a face. */
export async function verifyProposal(
  model: Model,
  pyramid: ImagePyramid,
  proposal: Proposal,
): Promise<Float32Array | null> {
  let best = await readTwice(model, pyramid, regionOfProposal(proposal, 0));
  if (best.second.logit < CLEAR_LOGIT && proposal.score >= LIKELY_SCORE) {
    // The detector takes upside-down faces for upright ones and misjudges faces on their side, so
    // turned views are read too.
    for (const quarterTurns of [1, 2, 3]) {
      const turned = await readTwice(model, pyramid, regionOfProposal(proposal, quarterTurns));
      if (turned.second.logit > best.second.logit) best = turned;
    }
  }
  const { first, second } = best;
  if (second.logit < MIN_LOGIT) return null;
  const mesh = boxOfPoints(second.landmarks, MESH_VERTEX_COUNT);
  if (intersectionOverUnion(mesh, proposal) < MIN_MESH_ON_BOX_OVERLAP) return null;
  if (second.logit >= CLEAR_LOGIT) return second.landmarks;

  const large = Math.max(mesh.right - mesh.left, mesh.bottom - mesh.top) > LARGE_FACE_PX;
  const likely =
    proposal.score >= (large ? LIKELY_SCORE_LARGE : LIKELY_SCORE) || proposal.support >= ENOUGH_SUPPORT;
  const likelyFace = second.logit >= FAIR_LOGIT ? LIKELY_FAIR_FACE : LIKELY_POOR_FACE;
  const allowed = likely ? likelyFace : UNLIKELY_FACE;
  const third = await readMesh(model, pyramid, regionOfMesh(second.landmarks, MESH_REGION_SCALE));
  const steady =
    drift(first.landmarks, second.landmarks) <= allowed.firstDrift &&
    drift(second.landmarks, third.landmarks) <= allowed.secondDrift;
  return steady ? second.landmarks : null;
}

/**
 * Returns the landmarks of a partly covered face, or null, as the last resort for a picture without
 * a verified face. The proposal shows that there is a face, and a wider look finds its place.
 */
export async function verifyCoveredFace(
  model: Model,
  pyramid: ImagePyramid,
  proposal: Proposal,
): Promise<Float32Array | null> {
  if (proposal.score < COVERED_FACE.score) return null;
  const { first, second } = await readTwice(model, pyramid, regionOfProposal(proposal, 0));
  const steady =
    first.logit >= COVERED_FACE.firstLogit &&
    intersectionOverUnion(boxOfPoints(second.landmarks, MESH_VERTEX_COUNT), proposal) >=
      COVERED_FACE.overlap &&
    drift(first.landmarks, second.landmarks) <= COVERED_FACE.drift;
  if (!steady) return null;
  const wider = await readTwice(model, pyramid, widened(regionOfMesh(second.landmarks, MESH_REGION_SCALE)));
  const { landmarks, logit } = wider.second;
  const isConfirmed =
    logit >= FAIR_LOGIT &&
    [wider.first, second].some((before) => drift(before.landmarks, landmarks) <= WIDER_LOOK.drift);
  return isConfirmed ? landmarks : null;
}

function widened({ x, y, size, angle }: Region): Region {
  const up = WIDER_LOOK.up * size;
  return { x: x + up * Math.sin(angle), y: y - up * Math.cos(angle), size: WIDER_LOOK.scale * size, angle };
}

/**
 * Reads the mesh in a region that may be inexact, and then in the region that this reading
 * suggests.
 */
async function readTwice(
  model: Model,
  pyramid: ImagePyramid,
  region: Region,
): Promise<{ first: MeshReading; second: MeshReading }> {
  const first = await readMesh(model, pyramid, region);
  const second = await readMesh(model, pyramid, regionOfMesh(first.landmarks, MESH_REGION_SCALE));
  return { first, second };
}

function regionOfProposal(proposal: Proposal, quarterTurns: number): Region {
  const side = Math.max(proposal.right - proposal.left, proposal.bottom - proposal.top);
  return {
    x: (proposal.left + proposal.right) / 2,
    y: (proposal.top + proposal.bottom) / 2,
    size: MESH_REGION_SCALE * side,
    angle: proposal.eyeAngle + (quarterTurns * Math.PI) / 2,
  };
}

/**
 * Measures the mean distance between the vertices of two meshes, as a share of the first one's
 * longer side.
 */
function drift(before: Float32Array, after: Float32Array): number {
  const { left, top, right, bottom } = boxOfPoints(before, MESH_VERTEX_COUNT);
  let sum = 0;
  for (let i = 0; i < 3 * MESH_VERTEX_COUNT; i += 3) {
    sum += Math.hypot(after[i]! - before[i]!, after[i + 1]! - before[i + 1]!);
  }
  return sum / MESH_VERTEX_COUNT / Math.max(right - left, bottom - top);
}
