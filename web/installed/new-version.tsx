import { Button, Group } from '@mantine/core'
import { useEffect, useState } from 'react'
import { Notice } from '../ui/feedback/notice.tsx'
import { Floating } from '../ui/frame/floating.tsx'
import { texts } from '../ui/texts.ts'
import { keepApp } from './keep-app.ts'

/** Says that a newer version is there, and leaves it to the person when to go on with it (R-everywhere-41). */
export function NewVersion() {
  const [takeOver, setTakeOver] = useState<(() => void) | null>(null)
  useEffect(() => whenIdle(() => void keepApp((takeOver) => setTakeOver(() => takeOver))), [])
  if (!takeOver) return null
  return (
    <Floating>
      <Notice
        kind="info"
        action={
          <Group gap={8}>
            <Button size="sm" onClick={takeOver}>
              {texts.reloadNow}
            </Button>
            <Button size="sm" variant="default" onClick={() => setTakeOver(null)}>
              {texts.later}
            </Button>
          </Group>
        }
      >
        {texts.newVersion}
      </Notice>
    </Floating>
  )
}

/** What is on the screen comes first. Safari cannot say when it is idle. */
function whenIdle(act: () => void): () => void {
  if (!('requestIdleCallback' in window)) {
    const waiting = setTimeout(act, 3_000)
    return () => clearTimeout(waiting)
  }
  const waiting = requestIdleCallback(act)
  return () => cancelIdleCallback(waiting)
}
