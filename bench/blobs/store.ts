import { createHash } from 'node:crypto'
import { createReadStream, readFileSync, statSync } from 'node:fs'
import { userStore } from '../../packages/server/src/accounts/stores/users.ts'
import { loadConfig } from '../../packages/server/src/operator.ts'
import { openMainStore } from '../../packages/server/src/platform/db/open.ts'
import { DiskBlobs } from '../../packages/server/src/records/storage/disk-blobs.ts'
import { blobIndex } from '../../packages/server/src/records/stores/blobs.ts'

/**
 * Stores a file in a service. Prints the id of the blob. Arguments: the configuration of the service, the file, the login of
 * its owner.
 */
const [configFile, file = '', login = ''] = process.argv.slice(2)
const config = loadConfig(configFile)
const main = await openMainStore(config.Db.Url)
const parts = { folder: config.Storage.Url, index: blobIndex(main.db), clock: Date.now, reserve: 0 }
const blobs = await DiskBlobs.open(parts)
const owner = await userStore(main.db).findByLogin(login)
if (!owner) throw new Error(`there is no user ${login}`)
const sha256 = createHash('sha256').update(readFileSync(file)).digest('hex')
const id = await blobs.begin({
  ...{ ownerId: owner.id, jobId: null, scope: 'bench', sha256, size: statSync(file).size },
  ...{ name: 'bench.bin', contentType: 'application/octet-stream' },
})
await blobs.append(id, 0, createReadStream(file))
await blobs.finish(id)
await main.close()
console.log(id)
