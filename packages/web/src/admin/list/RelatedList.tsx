import { useEffect, useId } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { useValue } from '../../use-value.ts'
import type { QueryValues } from '../data/console-api.ts'
import { useList } from '../data/use-list.ts'
import { ResourceStatus } from '../parts/Resource.tsx'
import { type Column, DataTable } from './DataTable.tsx'
import { MoreRows } from './ListSection.tsx'
import styles from './RelatedList.module.css'

interface Props<Row, Body> {
  title: string
  /** The path of a list of the administration API. */
  path: string
  query: QueryValues
  read: (body: Body) => { rows: readonly Row[]; next: string | null }
  columns: readonly Column<Row>[]
  keyOf: (row: Row) => string | number
  hrefOf?: (row: Row) => string
}

/** A list that belongs to the thing of a page, below its facts. Nothing without rows. */
export function RelatedList<Row, Body>({
  title,
  path,
  query,
  read,
  columns,
  keyOf,
  hrefOf,
}: Props<Row, Body>) {
  const { t } = useTexts()
  const id = useId()
  const list = useList(path, read)
  const state = useValue(list)
  const key = JSON.stringify(query)
  useEffect(() => void list.search(JSON.parse(key)), [list, key])
  if (state.is === 'loading' || (state.is === 'known' && state.rows.length === 0)) return null
  return (
    <section className={styles.part} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {state.is === 'failed' ? (
        <ResourceStatus state={state} reload={list.refresh} />
      ) : (
        <>
          <DataTable
            label={title}
            columns={columns}
            rows={state.rows}
            keyOf={keyOf}
            hrefOf={hrefOf}
            actionsLabel={t('admin.actions')}
          />
          <MoreRows list={list} />
        </>
      )}
    </section>
  )
}
