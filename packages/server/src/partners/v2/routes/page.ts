import { PAGE_DEFAULT } from '@lectern/protocol'
import type { AfterPage } from '../../ports.ts'

/** The page that a query asks for. */
export const pageOf = ({ after, limit }: { after?: string; limit?: string }): AfterPage => ({
  after: Number(after ?? 0),
  limit: Number(limit ?? PAGE_DEFAULT),
})
