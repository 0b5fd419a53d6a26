import { type Car, carFlyer, type Paper, papers } from '@keyturn/contract/cars/calls.ts'
import { fileNameOf } from '@keyturn/contract/cars/file-names.ts'
import { flyerTexts } from '@keyturn/contract/cars/flyer-texts.ts'
import { Checkbox, SegmentedControl, Stack, Text } from '@mantine/core'
import { useId, useState } from 'react'
import { ConfirmDialog } from '../../../ui/feedback/confirm-dialog.tsx'
import { keepFile } from '../../../ui/keep-file.ts'
import { sendFile } from '../../../wire/send.ts'

const texts = flyerTexts.dialog

/** Which paper, and whether everybody who walks by may read who sells the car (R-cars-33). */
export function FlyerDialog({ car, onClose }: { car: Car; onClose: () => void }) {
  const label = useId()
  const [paper, setPaper] = useState<Paper>(paperHere)
  const [isNamed, setNamed] = useState(false)
  const download = async () => {
    const query = { paper, contact: isNamed ? 'true' : 'false' } as const
    keepFile(await sendFile(carFlyer, { params: { vin: car.vin }, query }), fileNameOf(car, 'flyer.pdf'))
    onClose()
  }
  return (
    <ConfirmDialog
      title={texts.title}
      confirm={texts.download}
      cancel={texts.cancel}
      working={texts.downloading}
      failed={texts.failed}
      onConfirm={download}
      onClose={onClose}
    >
      <Stack gap="md">
        <Text>{texts.lead}</Text>
        <Stack gap="xs">
          <Text id={label} fw={550}>
            {texts.paper}
          </Text>
          <SegmentedControl
            aria-labelledby={label}
            data={papers.map((value) => ({ value, label: texts.papers[value] }))}
            value={paper}
            onChange={(value) => setPaper(papers.find((one) => one === value) ?? paper)}
          />
        </Stack>
        <Checkbox
          label={texts.contact}
          description={texts.contactHint}
          checked={isNamed}
          onChange={(event) => setNamed(event.currentTarget.checked)}
        />
      </Stack>
    </ConfirmDialog>
  )
}

/** Letter in the Americas where it is usual, A4 in the rest of the world. */
const paperHere = (): Paper => (/-(US|CA|MX|PR|PH|CL|CO)\b|^en$/.test(navigator.language) ? 'letter' : 'a4')
