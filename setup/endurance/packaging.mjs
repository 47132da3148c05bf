import { debianRelease } from '../debian-release.mjs'
import { BUILD_RELEASE, debianRoot, SUITES } from '../packaging/debian-root.mjs'
import { pinnedNode } from '../pinned-node.mjs'
import { installDebianPackages } from '../steps/debian-packages.mjs'

/**
 * Debian packages that build the container image without a service of its own, that run it as container engines do, that
 * get certificates, and that check the files for compose and Helm.
 */
const debianPackages = [
  ...['buildah', 'crun', 'certbot', 'nginx', 'docker-compose'],
  ...['golang-go', 'golang-github-masterminds-sprig-dev', 'golang-k8s-sigs-yaml-dev', 'python3-kubernetes'],
]

/**
 * Downloads for the tests of the packages, whose time limits include none: clean Debians and tools. Other
 * releases cannot run these tests.
 */
export async function preparePackaging() {
  if (debianRelease !== BUILD_RELEASE) return
  await installDebianPackages(debianPackages)
  await pinnedNode()
  for (const suite of SUITES) await debianRoot(suite)
}
