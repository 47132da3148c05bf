import { useTexts } from '../../../../texts/use-texts.ts'
import { Switch } from '../../../../ui/Switch.tsx'
import { useValue } from '../../../../use-value.ts'
import type { Board } from '../../model/board.ts'
import { COLORS, type ColorName, WIDTHS, type WidthName } from '../../model/tools.ts'
import type { Selection } from '../use-selection.ts'
import styles from './StyleChoice.module.css'

/** Colour and width of what is drawn next, and of what is selected. */
export function StyleChoice({ board, selection }: { board: Board; selection: Selection }) {
  const { t } = useTexts()
  const { color, width, isFilled } = useValue(board.tools)
  const { element } = selection
  const chooseColor = (next: ColorName) => {
    board.tools.choose({ color: next })
    if (!element || element.kind === 'image') return
    const hasFill = 'fill' in element.data
    board.author.change(element.element_id, {
      color: COLORS[next],
      ...(hasFill && { fill: COLORS[next] }),
    })
  }
  return (
    <div className={styles.style} data-stays>
      <fieldset className={styles.choice}>
        <legend>{t('board.color.title')}</legend>
        {(Object.keys(COLORS) as ColorName[]).map(each => (
          <button
            key={each}
            type="button"
            className={styles.option}
            aria-label={t(`board.color.${each}`)}
            title={t(`board.color.${each}`)}
            aria-pressed={each === color}
            onClick={() => chooseColor(each)}
          >
            <span className={styles.color} style={{ background: COLORS[each] }} />
          </button>
        ))}
      </fieldset>
      <fieldset className={styles.choice}>
        <legend>{t('board.width.title')}</legend>
        {(Object.keys(WIDTHS) as WidthName[]).map(each => (
          <button
            key={each}
            type="button"
            className={styles.option}
            aria-label={t(`board.width.${each}`)}
            title={t(`board.width.${each}`)}
            aria-pressed={each === width}
            onClick={() => board.tools.choose({ width: each })}
          >
            <span className={styles.width} style={{ height: WIDTHS[each], background: COLORS[color] }} />
          </button>
        ))}
      </fieldset>
      <Switch label={t('board.fill')} on={isFilled} onChange={on => board.tools.choose({ isFilled: on })} />
    </div>
  )
}
