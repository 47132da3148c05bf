import { PAGE_DEFAULT, POSITION_MAX } from '@lectern/protocol'
import type { AfterPage, Order } from '../../ports.ts'

interface PageQuery {
  after?: string
  limit?: string
}

/** The page that a query asks for. An `order` is ignored, as all that the list does not know. */
export const pageOf = ({ after = '0', limit }: PageQuery): AfterPage => ({
  after: Number(after),
  limit: Number(limit ?? PAGE_DEFAULT),
})

/** The page of a list that may begin with the newest. */
export const orderedPageOf = ({
  after,
  limit,
  order = 'asc',
}: PageQuery & { order?: Order }): AfterPage & { order: Order } => ({
  ...pageOf({ after: after ?? String(order === 'asc' ? 0 : POSITION_MAX), ...(limit && { limit }) }),
  order,
})
