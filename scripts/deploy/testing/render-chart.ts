import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { parseAllDocuments } from 'yaml';

/** Folder of the chart. */
export const CHART = path.join(import.meta.dirname, '../../../deploy/helm/guise');

/** Folder where Debian puts the Go libraries that Helm renders with. */
const GO_LIBRARIES = '/usr/share/gocode';

/** Whether this machine has what Helm renders with. */
export const canRender =
  spawnSync('go', ['version']).status === 0 &&
  existsSync(path.join(GO_LIBRARIES, 'src/github.com/Masterminds/sprig'));

/** Reason to skip a test that renders; false where it can run. */
export const cannotRender =
  !canRender && 'golang-go and golang-github-masterminds-sprig-dev are not installed';

/** Manifest of Kubernetes; tests look into it as deep as they need. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Manifest = any;

/** Renders the chart, as the release `swap`, with these values over its own. */
export function render(values: object): Manifest[] {
  const { status, stdout, stderr } = spawnSync(
    'go',
    ['run', path.join(import.meta.dirname, '../render-chart.go'), CHART],
    {
      input: JSON.stringify(values),
      encoding: 'utf8',
      env: { ...process.env, GO111MODULE: 'off', GOPATH: GO_LIBRARIES },
    },
  );
  assert.equal(status, 0, stderr);
  return parseAllDocuments(stdout)
    .map((document) => {
      assert.deepEqual(document.errors, []);
      return document.toJS();
    })
    .filter((manifest) => manifest !== null);
}

/** Returns the manifests of one kind. */
export const ofKind = (manifests: Manifest[], kind: string): Manifest[] =>
  manifests.filter((each) => each.kind === kind);
