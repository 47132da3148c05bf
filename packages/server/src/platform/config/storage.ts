import { ConfigError } from './ini.ts'

/** A bucket of an object storage with the API of S3. */
export interface S3Settings {
  /** Origin, e.g. https://s3.eu-central-1.amazonaws.com. The bucket becomes part of the path. */
  endpoint: string
  region: string
  bucket: string
  /** Before all keys: empty, or ends with a slash. */
  prefix: string
  accessKeyId: string
  secretAccessKey: string
}

/** The keys about the place of files. */
export interface StorageSection {
  Url: string
  S3Endpoint: string
  S3Region: string
  S3AccessKeyId: string
  S3SecretAccessKey: string
}

const S3_URL = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/((?:[A-Za-z0-9._-]+\/)*[A-Za-z0-9._-]*))?$/
/** Printable ASCII without what separates the parts of a signature. */
const KEY_ID = /^[!-+\-.0-~]{1,256}$/

/** Null: files are in a folder. Throws a ConfigError, which never contains a key. */
export function s3Settings(Storage: StorageSection): S3Settings | null {
  const { Url, S3Endpoint, S3Region, S3AccessKeyId, S3SecretAccessKey } = Storage
  if (!/^[a-z][a-z0-9+]+:\/\//i.test(Url)) {
    if (S3Endpoint || S3AccessKeyId || S3SecretAccessKey)
      throw new ConfigError('[Storage] the keys S3… need Url = s3://BUCKET')
    return null
  }
  const [, bucket, path = ''] = S3_URL.exec(Url) ?? []
  if (bucket === undefined || /(^|\/)\.{1,2}(\/|$)/.test(path))
    throw new ConfigError('[Storage] Url must be a folder, s3://BUCKET or s3://BUCKET/PREFIX')
  if (!S3AccessKeyId || !S3SecretAccessKey)
    throw new ConfigError('[Storage] Url = s3://… needs S3AccessKeyId and S3SecretAccessKey')
  if (!KEY_ID.test(S3AccessKeyId)) throw new ConfigError('[Storage] S3AccessKeyId is not an access key id')
  return {
    endpoint: S3Endpoint || `https://s3.${S3Region}.amazonaws.com`,
    region: S3Region,
    bucket,
    prefix: path && `${path.replace(/\/$/, '')}/`,
    accessKeyId: S3AccessKeyId,
    secretAccessKey: S3SecretAccessKey,
  }
}
