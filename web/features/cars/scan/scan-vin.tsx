import { carTexts } from '@keyturn/contract/cars/texts.ts'
import { type ComponentType, useEffect, useState } from 'react'
import { WorkButton } from '../../../components/feedback/work-button.tsx'
import { IconBarcode } from '../../../components/icons.tsx'
import type { ScanDialogProps } from './scan-dialog.tsx'
import { hasMobileCamera } from './use-camera.ts'

const texts = carTexts.scan

type ScanVinProps = {
  onVin: (vin: string) => void
  /** Reports the problem to the form; null clears it. */
  onTrouble: (trouble: string | null) => void
}

/** A button that appears on phones with a camera (R-cars-22) and loads the dialog on click. */
export function ScanVin({ onVin, onTrouble }: ScanVinProps) {
  const hasCamera = useHasMobileCamera()
  const [Dialog, setDialog] = useState<ComponentType<ScanDialogProps> | null>(null)
  if (!hasCamera) return null
  const open = async () => {
    onTrouble(null)
    await import('./scan-dialog.tsx').then(
      ({ ScanDialog }) => setDialog(() => ScanDialog),
      () => onTrouble(texts.notLoaded),
    )
  }
  return (
    <>
      <WorkButton variant="default" leftSection={<IconBarcode size={20} stroke={1.75} />} onClick={open}>
        {texts.open}
      </WorkButton>
      {Dialog && <Dialog onVin={onVin} onClose={() => setDialog(null)} />}
    </>
  )
}

function useHasMobileCamera(): boolean {
  const [isThere, setThere] = useState(false)
  useEffect(() => void hasMobileCamera().then(setThere), [])
  return isThere
}
