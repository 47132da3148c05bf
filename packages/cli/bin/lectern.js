#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8'

process.umask(0o077) // databases, recordings, logs and the configuration are the service user's alone

// Loading and starting make garbage that would blow up the young generation for good: 20 MB more for a server
// that idles. Under load it may grow again (src/commands/serve.ts).
setFlagsFromString('--semi-space-growth-factor=1')
await import('../dist/lectern.js')
