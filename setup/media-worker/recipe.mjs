import { join } from 'node:path'
import { hashOf } from '../hash.mjs'

/** What the build takes from this folder, apart from mediasoup's source. */
const ingredients = ['build.sh', 'subprojects', 'tcp-connections.patch']

/** Long enough to tell builds apart, short enough for the name of a folder. */
const LENGTH = 12

/**
 * Names the way in which the media worker is built: another script or patch is another recipe, another checkout is not.
 *
 * @param {string} [folder] for tests
 */
export const buildRecipe = (folder = import.meta.dirname) =>
  hashOf(
    ingredients.map(name => join(folder, name)),
    folder,
  ).slice(0, LENGTH)
