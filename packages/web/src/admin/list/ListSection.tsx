import { RefreshCw } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/Button.tsx'
import { Select } from '../../ui/Select.tsx'
import { useValue } from '../../use-value.ts'
import type { QueryValues } from '../data/console-api.ts'
import type { PagedList } from '../data/paged-list.ts'
import { FailureText } from '../parts/FailureText.tsx'
import { useAdmin } from '../use-admin.ts'
import { type Column, DataTable } from './DataTable.tsx'
import { EmptyList } from './EmptyList.tsx'
import styles from './ListSection.module.css'

export interface Filter {
  name: string
  label: string
  /** Before them is one for all. */
  options: readonly { value: string; label: string }[]
}

interface Props<Row> {
  title: string
  list: PagedList<Row, never>
  columns: readonly Column<Row>[]
  keyOf: (row: Row) => string | number
  /** Shown when there is nothing, and how to get something. */
  empty: string
  emptyHint: string
  /** The subjects of the search field. */
  searchLabel?: string
  filters?: readonly Filter[]
  initial?: Readonly<Record<string, string>>
  /** Parameters of every request of the list. It MUST stay the same object. */
  query?: QueryValues
  /** The page of a row. */
  hrefOf?: (row: Row) => string
  actions?: (row: Row) => ReactNode
  /** Buttons above the table. */
  children?: ReactNode
}

/** Typing does not send a request for each letter. */
const SEARCH_DELAY_MS = 250
const NOTHING = {}

/** A searchable list with its states: loading, failed, empty, known, and known but out of date. */
export function ListSection<Row>(props: Props<Row>) {
  const {
    title,
    list,
    columns,
    keyOf,
    empty,
    emptyHint,
    searchLabel,
    filters = [],
    initial = {},
    query: fixed = NOTHING,
    hrefOf,
    actions,
    children,
  } = props
  const { t } = useTexts()
  const state = useValue(list)
  const { searches } = useAdmin()
  const key = `${location.pathname} ${title}`
  const [query, setQuery] = useState(() => searches.get(key) ?? { search: '', filters: initial })
  const isFiltered =
    query.search.trim() !== '' ||
    filters.some(({ name }) => (query.filters[name] ?? '') !== (initial[name] ?? ''))
  useEffect(() => {
    searches.set(key, query)
    const { search, filters: chosen } = query
    const timer = setTimeout(
      () => void list.search({ ...fixed, ...chosen, search }),
      search ? SEARCH_DELAY_MS : 0,
    )
    return () => clearTimeout(timer)
  }, [list, query, searches, key, fixed])

  return (
    <section className={styles.section} aria-label={title}>
      <div className={styles.tools}>
        {searchLabel !== undefined && (
          <label className={styles.search}>
            <span>{searchLabel}</span>
            <input
              type="search"
              value={query.search}
              maxLength={100}
              onChange={({ target }) => setQuery({ ...query, search: target.value })}
            />
          </label>
        )}
        {filters.map(({ name, label, options }) => (
          <Select
            key={name}
            label={label}
            options={[{ value: '', label: t('admin.all') }, ...options]}
            value={query.filters[name] ?? ''}
            onChange={value => setQuery({ ...query, filters: { ...query.filters, [name]: value } })}
          />
        ))}
        <button type="button" className={styles.refresh} onClick={() => void list.refresh()}>
          <RefreshCw aria-hidden="true" />
          {t('admin.refresh')}
        </button>
        {children}
      </div>
      <div role="status" className={styles.status}>
        {state.is === 'loading' && <p>{t('admin.loading')}</p>}
        {state.is === 'known' && state.failure && (
          <p>{state.failure.code === null ? t('admin.stale') : <FailureText code={state.failure.code} />}</p>
        )}
        {state.is === 'known' &&
          state.rows.length === 0 &&
          (isFiltered ? (
            <EmptyList text={t('adminPages.noMatch')}>
              <Button secondary onClick={() => setQuery({ search: '', filters: initial })}>
                {t('adminPages.clear')}
              </Button>
            </EmptyList>
          ) : (
            <EmptyList text={empty} hint={emptyHint} />
          ))}
      </div>
      {state.is === 'failed' && (
        <div className={styles.failed}>
          <p role="alert">
            <FailureText code={state.code} />
          </p>
          <Button secondary onClick={() => void list.refresh()}>
            {t('problem.again')}
          </Button>
        </div>
      )}
      {state.is === 'known' && state.rows.length > 0 && (
        <>
          <DataTable
            label={title}
            columns={columns}
            rows={state.rows}
            keyOf={keyOf}
            hrefOf={hrefOf}
            actions={actions}
            actionsLabel={t('admin.actions')}
          />
          <MoreRows list={list} />
        </>
      )}
    </section>
  )
}

/** The button for the next page of a list, if there is one. */
export function MoreRows<Row>({ list }: { list: PagedList<Row, never> }) {
  const { t } = useTexts()
  const state = useValue(list)
  if (state.is !== 'known' || state.next === null) return null
  return (
    <div className={styles.more}>
      <Button secondary busy={state.isBusy} onClick={() => void list.loadMore()}>
        {t('admin.more')}
      </Button>
    </div>
  )
}
