// Runs a TypeScript file of this repository: `node launch.cjs FILE [ARGS...]`.
// The sources need Node 24 (type stripping). Plain CommonJS in old syntax, so that any older Node can read this
// file and hand over to the Node 24 binary that npm installed as an optional platform package.
'use strict';
var childProcess = require('child_process');
var path = require('path');
var openCompileCache = require('./compile-cache.cjs').openCompileCache;

var REQUIRED_MAJOR = 24;
var PLATFORM_PACKAGES = [
  'node-' + process.platform + '-' + process.arch,
  'node-bin-' + process.platform + '-' + process.arch,
];

/** Path of the Node >= 24 to run on: this one, else the bundled one, else null. */
function findNode() {
  if (Number(process.versions.node.split('.')[0]) >= REQUIRED_MAJOR) return process.execPath;
  for (var i = 0; i < PLATFORM_PACKAGES.length; i++) {
    try {
      var manifest = require.resolve(PLATFORM_PACKAGES[i] + '/package.json');
      return path.resolve(path.dirname(manifest), require(manifest).bin.node);
    } catch {
      // Not this platform's package: try the next name.
    }
  }
  return null;
}

/** Replaces this process by FILE: in place when this Node is new enough, else in a child that gets every signal. */
function launch(file, args) {
  var node = findNode();
  if (node === null) {
    console.error(
      'guise needs Node.js ' +
        REQUIRED_MAJOR +
        ' or newer; this is ' +
        process.version +
        ', and npm has no bundled Node for ' +
        process.platform +
        '-' +
        process.arch +
        '. Install Node.js ' +
        REQUIRED_MAJOR +
        ' and try again.',
    );
    process.exit(1);
  }
  var entry = path.resolve(file);
  if (node === process.execPath) {
    openCompileCache();
    process.argv = [node, entry].concat(args);
    import(require('url').pathToFileURL(entry).href).catch(function (error) {
      console.error(error);
      process.exit(1);
    });
    return;
  }
  var child = childProcess.spawn(node, [__filename, entry].concat(args), {
    // The channel carries nothing: it breaks when we are killed, and tells the service that nobody would stop it any more.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  ['SIGINT', 'SIGTERM', 'SIGHUP'].forEach(function (signal) {
    process.on(signal, function () {
      // A terminal sends Ctrl-C to the whole group; only what is sent to us alone must be passed on.
      if (!(signal === 'SIGINT' && process.stdin.isTTY)) child.kill(signal);
    });
  });
  // The shell of `npx` ends without passing a signal on. The child stops when the channel breaks.
  var parent = process.ppid;
  function stopWithParent() {
    if (process.ppid !== parent && child.connected) child.disconnect();
  }
  if (process.env.npm_lifecycle_event === 'npx') setInterval(stopWithParent, 1000).unref();
  child.on('exit', function (code, signal) {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

module.exports = { launch: launch };
if (require.main === module) launch(process.argv[2], process.argv.slice(3));
