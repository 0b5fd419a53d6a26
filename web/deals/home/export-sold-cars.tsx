import { soldCarsFile } from '@keyturn/contract/deals/calls.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { Stack } from '@mantine/core'
import { useState } from 'react'
import { Failure } from '../../ui/feedback/failure.tsx'
import { WorkButton } from '../../ui/feedback/work-button.tsx'
import { IconTableExport } from '../../ui/icons.tsx'
import { keepFile } from '../../ui/keep-file.ts'
import { sendFile } from '../../wire/send.ts'

const texts = dealTexts.sold

/** The whole list as a file, however much of it is on the screen. */
export function ExportSoldCars() {
  const [fault, setFault] = useState<unknown>(null)
  const download = async () => {
    setFault(null)
    await sendFile(soldCarsFile, {}).then((file) => keepFile(file, texts.fileName), setFault)
  }
  return (
    <Stack gap="sm">
      <WorkButton
        variant="default"
        leftSection={<IconTableExport size={20} stroke={1.75} />}
        working={texts.exporting}
        onClick={download}
      >
        {texts.export}
      </WorkButton>
      {fault !== null && <Failure sentence={texts.failed} fault={fault} onRetry={download} />}
    </Stack>
  )
}
