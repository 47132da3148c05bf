import { debianRelease } from '../debian-release.mjs'
import { BUILD_RELEASE, debianRoot, SUITES } from '../packaging/debian-root.mjs'
import { pinnedNode } from '../pinned-node.mjs'
import { installDebianPackages } from '../steps/debian-packages.mjs'

/** Debian packages that build the container image without a service of its own, and run it as container engines do. */
const imageTools = ['buildah', 'crun']

/**
 * Downloads for the tests of the packages, whose time limits include none: clean Debians, and the tools of images. Other
 * releases cannot run these tests.
 */
export async function preparePackaging() {
  if (debianRelease !== BUILD_RELEASE) return
  await installDebianPackages(imageTools)
  await pinnedNode()
  for (const suite of SUITES) await debianRoot(suite)
}
