import { useState } from 'react'
import { useAdmin } from '../use-admin.ts'
import { PagedList } from './paged-list.ts'

/** A list of the API, for as long as the component is mounted. */
export function useList<Row, Body>(
  path: string,
  read: (body: Body) => { rows: readonly Row[]; next: string | null },
): PagedList<Row, never> {
  const { api } = useAdmin()
  const [list] = useState(() => new PagedList<Row, Body>(api, path, read))
  return list as unknown as PagedList<Row, never>
}
