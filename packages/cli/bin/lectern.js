#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8'

process.umask(0o077) // only the service's user may read databases, recordings, logs and the configuration

// Packages bring their Node; in a checkout, npm start has provided it.
if (['22', '24'].includes(process.versions.node.split('.')[0])) {
  // Startup garbage would permanently enlarge V8's young generation: 20 MB more for an idle server.
  // src/young-generation.ts lifts the limit after the start.
  setFlagsFromString('--semi-space-growth-factor=1')
  await import('../dist/lectern.js')
} else {
  const { runOnPinnedNode } = await import('../../../setup/pinned-node.mjs')
  await runOnPinnedNode(process.argv.slice(1), { isQuiet: true })
}
