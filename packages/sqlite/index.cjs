/**
 * better-sqlite3 for the running version of Node. Version 12 is the last one for Node 20, and must not be compiled with the
 * headers of Node 24.19 or newer: the process aborts at a garbage collection (nodejs/node#65446). Version 13 uses Node-API,
 * ships binaries in its package, and needs Node 22.
 */
const major = Number(process.versions.node.split('.')[0])

module.exports = major >= 22 ? require('better-sqlite3-node-api') : require('better-sqlite3')
