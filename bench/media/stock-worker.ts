import { join } from 'node:path'
import { cachePathOf } from '../../setup/machine-cache.mjs'
import { build } from '../../setup/media-worker/build.mjs'
import { buildRecipe } from '../../setup/media-worker/recipe.mjs'
import { runs } from '../../setup/media-worker/runs.mjs'
import { root } from '../../setup/paths.mjs'

// Prints the path of mediasoup's own worker, without Lectern's changes, built with the same compiler and libraries. The first
// time on a machine it is built, which takes a minute.
const worker = cachePathOf('mediasoup-worker', 'mediasoup', buildRecipe(), 'stock')
if (!runs(worker)) await build(join(root, 'node_modules/mediasoup'), worker, 'stock')
process.stdout.write(`\n${worker}`)
