import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startFileNginx } from '../../../../testing/reverse-proxy.ts'
import { startTestServer } from '../../../../testing/server.ts'
import { openTestArchive } from '../../../testing/archive.ts'

/**
 * A server whose files nginx sends, configured as docs/install.md says. `remembers`: nginx remembers permissions.
 */
export async function startBehindNginx({ remembers = false } = {}) {
  const parent = mkdtempSync(join(tmpdir(), 'lectern-files-'))
  const folder = join(parent, 'lectern-files')
  makeReadableForNginx(parent, folder)
  const Storage = { Url: folder, SendfileHeader: 'X-Accel-Redirect' }
  const server = await startTestServer({ Server: { TrustProxy: 'loopback' }, Storage })
  const [location, http, ranges] = recipes(parent)
  const nginx = await startFileNginx({
    folder: parent,
    server: new URL(server.url).host,
    ...(remembers ? { locations: `${location}\n${ranges}`, http } : { locations: location }),
  })
  const testArchive = await openTestArchive(server)
  return {
    folder,
    server,
    nginxUrl: `http://127.0.0.1:${nginx.port}`,
    testArchive,
    close: async () => {
      await testArchive.close()
      await nginx.stop()
      await server.close()
      rmSync(parent, { recursive: true })
    },
  }
}

/** The permissions that docs/install.md recommends; as root, nginx has a user of its own. */
function makeReadableForNginx(parent: string, folder: string) {
  mkdirSync(folder)
  chmodSync(parent, 0o755)
  if (process.getuid?.() !== 0) return
  execFileSync('chgrp', ['www-data', folder])
  chmodSync(folder, 0o2750)
}

/** The three parts of the document, with other folders. */
function recipes(parent: string): [location: string, http: string, ranges: string] {
  const install = readFileSync(new URL('../../../../../../../docs/install.md', import.meta.url), 'utf8')
  const blocks = [...install.matchAll(/```nginx\n(.+?)```/gs)].map(([, text = '']) =>
    text.replaceAll('/srv', parent).replaceAll('/run/', `${parent}/`),
  )
  if (blocks.length !== 3) throw new Error(`docs/install.md has ${blocks.length} recipes for nginx, not 3`)
  return blocks as [string, string, string]
}
