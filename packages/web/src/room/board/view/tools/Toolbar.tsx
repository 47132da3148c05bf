import {
  ArrowUpRight,
  Circle,
  Ellipsis,
  Eraser,
  Highlighter,
  type LucideIcon,
  MousePointer2,
  Palette,
  Pen,
  Pointer,
  Redo2,
  Shapes,
  Slash,
  Square,
  Type,
  Undo2,
} from 'lucide-react'
import { useTexts } from '../../../../texts/use-texts.ts'
import { useValue } from '../../../../use-value.ts'
import type { Board } from '../../model/board.ts'
import { COLORS, TOOLS, type Tool } from '../../model/tools.ts'
import type { OpenDialog } from '../dialogs/props.ts'
import type { Selection } from '../use-selection.ts'
import { Flyout } from './Flyout.tsx'
import { MoreTools } from './MoreTools.tsx'
import { StyleChoice } from './StyleChoice.tsx'
import { ToolButton } from './ToolButton.tsx'
import styles from './Toolbar.module.css'

const toolIcons: Readonly<Record<Tool, LucideIcon>> = {
  select: MousePointer2,
  pen: Pen,
  marker: Highlighter,
  eraser: Eraser,
  line: Slash,
  arrow: ArrowUpRight,
  rectangle: Square,
  ellipse: Circle,
  text: Type,
  laser: Pointer,
}

const SHAPES: readonly Tool[] = ['line', 'arrow', 'rectangle', 'ellipse']
const OTHERS = TOOLS.filter(each => !SHAPES.includes(each))
/** The tools that have buttons even where there is little space; the others are behind one button. */
const ALWAYS: readonly Tool[] = ['eraser']

interface Props {
  board: Board
  side: 'beside' | 'below'
  isShort: boolean
  selection: Selection
  onDialog: (dialog: OpenDialog) => void
}

/** The drawing tools, beside or below the page. */
export function Toolbar({ board, side, isShort, selection, onDialog }: Props) {
  const { t } = useTexts()
  const { tool, color } = useValue(board.tools)
  const { canUndo, canRedo } = useValue(board.author)
  const choose = (next: Tool) => board.tools.choose({ tool: next })
  const button = (shown: Tool) => (
    <ToolButton
      key={shown}
      icon={toolIcons[shown]}
      label={t(`board.tool.${shown}`)}
      isOn={shown === tool}
      onClick={() => choose(shown)}
    />
  )
  const isShape = SHAPES.includes(tool)
  const hidden = isShort ? TOOLS.filter(each => !ALWAYS.includes(each)) : SHAPES
  const isHidden = hidden.includes(tool)
  return (
    <section className={styles.tools} data-side={side} aria-label={t('board.tools')}>
      {!isShort && OTHERS.slice(0, 3).map(button)}
      <Flyout
        icon={isHidden ? toolIcons[tool] : isShort ? toolIcons.pen : Shapes}
        label={isShort ? t('board.tools') : t('board.shapes')}
        isMarked={isShort ? isHidden : isShape}
        side={side}
      >
        <div className={styles.choice}>{hidden.map(button)}</div>
      </Flyout>
      {isShort ? ALWAYS.map(button) : OTHERS.slice(3).map(button)}
      <Flyout icon={Palette} label={t('board.style')} color={COLORS[color]} side={side}>
        <StyleChoice board={board} selection={selection} />
      </Flyout>
      <ToolButton icon={Undo2} label={t('board.undo')} isDisabled={!canUndo} onClick={board.author.undo} />
      <ToolButton icon={Redo2} label={t('board.redo')} isDisabled={!canRedo} onClick={board.author.redo} />
      <Flyout icon={Ellipsis} label={t('board.more')} side={side} isLast>
        <MoreTools board={board} onDialog={onDialog} />
      </Flyout>
    </section>
  )
}
