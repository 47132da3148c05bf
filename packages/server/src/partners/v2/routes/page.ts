import { PAGE_DEFAULT, POSITION_MAX } from '@lectern/protocol'
import type { AfterPage, Order } from '../../ports.ts'

/** The page that a query asks for. */
export const pageOf = ({
  after,
  limit,
  order = 'asc',
}: {
  after?: string
  limit?: string
  order?: Order
}): AfterPage => ({
  after: Number(after ?? (order === 'asc' ? 0 : POSITION_MAX)),
  limit: Number(limit ?? PAGE_DEFAULT),
  order,
})
