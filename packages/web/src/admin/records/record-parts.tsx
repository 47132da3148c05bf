import { homePath } from '../../address.ts'
import { Link } from '../../site/Link.tsx'
import { useTexts } from '../../texts/use-texts.ts'
import type { Column } from '../list/DataTable.tsx'
import { visibleText } from '../parts/format.ts'

/** Records of a conference are named by it. */
export interface OfConference {
  conference_tag: string
  conference_title: string | null
  external_id: string | null
}

export function useConferenceTitle() {
  const { t } = useTexts()
  return ({ conference_title }: OfConference) =>
    conference_title === null ? t('adminPages.deletedMeeting') : visibleText(conference_title)
}

/** The columns that name the conference: the first and the last ones of a list of records. */
export function useConferenceColumns<Row extends OfConference>(): Record<'names' | 'tag', Column<Row>[]> {
  const { t } = useTexts()
  const titleOf = useConferenceTitle()
  return {
    names: [
      { key: 'title', label: t('admin.column.title'), render: row => <bdi>{titleOf(row)}</bdi> },
      {
        key: 'external_id',
        label: t('admin.column.externalId'),
        render: ({ external_id }) => (external_id === null ? '—' : visibleText(external_id)),
      },
    ],
    tag: [{ key: 'tag', label: t('admin.column.tag'), render: ({ conference_tag }) => conference_tag }],
  }
}

/** The facts that name the conference of a record; a partner room has a page. */
export function useConferenceFacts() {
  const { t } = useTexts()
  return ({ external_id, conference_tag }: OfConference) => [
    {
      name: t('admin.column.externalId'),
      value:
        external_id === null ? (
          '—'
        ) : (
          <Link href={homePath('admin', 'rooms', conference_tag)}>{visibleText(external_id)}</Link>
        ),
    },
    { name: t('admin.column.tag'), value: conference_tag },
  ]
}
