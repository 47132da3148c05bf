import { versionOf } from '@lectern/common/version'

/** The version of this package. In the folder of the entry point, so that the path holds in the bundle, too. */
export const version = versionOf(import.meta.url)
