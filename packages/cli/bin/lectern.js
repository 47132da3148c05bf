#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8'

process.umask(0o077) // only the service's user may read databases, recordings, logs and the configuration

// Startup garbage would permanently enlarge V8's young generation: 20 MB more for an idle server.
// src/young-generation.ts lifts the limit after the start.
setFlagsFromString('--semi-space-growth-factor=1')
await import('../dist/lectern.js')
