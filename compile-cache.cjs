// Plain CommonJS in old syntax, like launch.cjs, so that any older Node can read it.
'use strict';
var fs = require('fs');
var os = require('os');
var path = require('path');

/** Names below the user's cache folder. */
var OWN_FOLDERS = ['guise', 'compile-cache'];
var OTHERS_MAY_WRITE = 0o022;
var OTHERS_MAY_ANYTHING = 0o077;
var STICKY = 0o1000;

/**
 * Lets Node keep compiled code between starts, in a folder that no other user can write to.
 * Node runs what such a folder holds unchecked, and its own choice is a name in the shared temporary folder.
 *
 * NODE_COMPILE_CACHE stays the operator's word: Node obeys it before our first line, as it does NODE_OPTIONS.
 */
function openCompileCache() {
  var enable = require('module').enableCompileCache;
  if (!enable || process.env.NODE_COMPILE_CACHE) return;
  var folder = findOwnFolder();
  if (folder !== null) enable(folder);
}

/**
 * Finds, or makes, guise/compile-cache in XDG_CACHE_HOME or ~/.cache: node_modules may belong to another user.
 * Returns null where others could put code there (as with sudo and the HOME of somebody else): no cache is safe.
 */
function findOwnFolder() {
  if (!process.geteuid) return null;
  try {
    var wanted = process.env.XDG_CACHE_HOME || '';
    var base = path.isAbsolute(wanted) ? wanted : path.join(os.homedir(), '.cache');
    if (!isOutOfReach(fs.realpathSync(path.dirname(base)))) return null;
    makeFolder(base);
    var folder = fs.realpathSync(base);
    if (!isOutOfReach(folder)) return null;
    for (var name of OWN_FOLDERS) {
      folder = path.join(folder, name);
      makeFolder(folder);
      if (!isPrivate(folder)) return null;
    }
    return folder;
  } catch {
    // No home, or one that cannot be written to.
    return null;
  }
}

/** Whether nobody but us and root can change what stands at this real path, or at any folder above it. */
function isOutOfReach(folder) {
  var found = fs.lstatSync(folder);
  var owned = found.uid === process.geteuid() || found.uid === 0;
  // In a sticky folder nobody can rename or remove what is another's.
  var closed = (found.mode & OTHERS_MAY_WRITE) === 0 || (found.mode & STICKY) !== 0;
  var parent = path.dirname(folder);
  return found.isDirectory() && owned && closed && (parent === folder || isOutOfReach(parent));
}

/** Whether a folder (no link to one) is ours alone. One that was open is never mended: it may hold code already. */
function isPrivate(folder) {
  var found = fs.lstatSync(folder);
  return found.isDirectory() && found.uid === process.geteuid() && (found.mode & OTHERS_MAY_ANYTHING) === 0;
}

function makeFolder(folder) {
  try {
    fs.mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
}

module.exports = { openCompileCache: openCompileCache };
