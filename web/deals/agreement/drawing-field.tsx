import { drawingTexts as texts } from '@keyturn/contract/deals/drawing-texts.ts'
import { Stack } from '@mantine/core'
import { type ComponentType, useState } from 'react'
import { Trouble } from '../../ui/feedback/trouble.tsx'
import { WorkButton } from '../../ui/feedback/work-button.tsx'
import { IconSignature } from '../../ui/icons.tsx'
import type { DrawingPadProps } from './drawing-pad.tsx'

/** Beside the typed signature, never instead of it (R-deals-68). The pad is loaded only when somebody wants it. */
export function DrawingField({ onDrawn }: { onDrawn: (drawing: string | null) => void }) {
  const [Pad, setPad] = useState<ComponentType<DrawingPadProps> | null>(null)
  const [isMissing, setMissing] = useState(false)
  const open = async () => {
    setMissing(false)
    await import('./drawing-pad.tsx').then(
      ({ DrawingPad }) => setPad(() => DrawingPad),
      () => setMissing(true),
    )
  }
  const close = () => {
    setPad(null)
    onDrawn(null)
  }
  if (Pad) return <Pad onDrawn={onDrawn} onClose={close} />
  return (
    <Stack gap="xs" align="flex-start">
      <WorkButton variant="subtle" leftSection={<IconSignature size={20} stroke={1.75} />} onClick={open}>
        {texts.open}
      </WorkButton>
      {isMissing && <Trouble>{texts.notLoaded}</Trouble>}
    </Stack>
  )
}
