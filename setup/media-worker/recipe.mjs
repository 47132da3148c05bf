import { join } from 'node:path'
import { hashOf } from '../hash.mjs'

/** The files in this folder that affect the build. */
const inputs = ['build.mjs', 'sources.mjs', 'include', 'srtp', 'aes-gcm.patch', 'tcp-connections.patch']

/** Enough to distinguish builds, short enough for a folder name. */
const LENGTH = 12

/**
 * Identifies how the media worker is built: the recipe changes with the script or a patch, not with the checkout.
 *
 * @param {string} [folder] for tests
 */
export const buildRecipe = (folder = import.meta.dirname) =>
  hashOf(
    inputs.map(name => join(folder, name)),
    folder,
  ).slice(0, LENGTH)
