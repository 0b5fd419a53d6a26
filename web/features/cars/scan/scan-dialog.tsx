import { carTexts } from '@keyturn/contract/cars/texts.ts'
import { Button, FileButton } from '@mantine/core'
import { useState } from 'react'
import { Dialog } from '../../../components/feedback/dialog.tsx'
import { ErrorNotice } from '../../../components/feedback/error-notice.tsx'
import { announce } from '../../../components/feedback/notice.tsx'
import { WorkButton } from '../../../components/feedback/work-button.tsx'
import { IconCamera, IconShieldLock } from '../../../components/icons.tsx'
import classes from './scan-dialog.module.css'
import { type Camera, useCamera } from './use-camera.ts'
import { useScan } from './use-scan.ts'

const texts = carTexts.scan

export type ScanDialogProps = { onVin: (vin: string) => void; onClose: () => void }

/** Scans the VIN with the camera, or from a photo where there is no camera (R-cars-22). */
export function ScanDialog({ onVin, onClose }: ScanDialogProps) {
  const camera = useCamera()
  const scan = useScan(camera, (vin) => {
    announce(texts.found(vin))
    onVin(vin)
    onClose()
  })
  const [isReading, setReading] = useState(false)
  const read = async (photo: File | null) => {
    if (!photo) return
    setReading(true)
    await scan.takePhoto(photo).finally(() => setReading(false))
  }
  const isUseless = camera.state === 'refused' || camera.state === 'failed'
  return (
    <Dialog
      title={texts.title}
      size="sm"
      onClose={onClose}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {texts.byHand}
          </Button>
          <FileButton accept="image/jpeg,image/png,image/webp" capture="environment" onChange={read}>
            {({ onClick }) => (
              <WorkButton
                variant={isUseless ? 'filled' : 'default'}
                leftSection={<IconCamera size={20} stroke={1.75} />}
                onClick={() => onClick()}
                busy={isReading}
                working={texts.reading}
              >
                {texts.photo}
              </WorkButton>
            )}
          </FileButton>
        </>
      }
      trouble={<Troubles camera={camera} scan={scan} />}
    >
      <p>{texts.lead}</p>
      {!isUseless && <Finder camera={camera} />}
      {camera.state === 'on' && !scan.isMissing && (
        <p role="status" className={classes.seen}>
          {texts.seen[scan.seen]}
        </p>
      )}
      <p className={classes.stays}>
        <IconShieldLock size={18} stroke={1.75} />
        {texts.stays}
      </p>
    </Dialog>
  )
}

function Finder({ camera: { state, video, light, turnOn } }: { camera: Camera }) {
  return (
    <div className={classes.finder}>
      <video ref={video} className={classes.video} aria-label={texts.picture} muted playsInline />
      {state === 'on' && <div className={classes.target} />}
      {state === 'opening' && (
        <p role="status" className={classes.cover}>
          {texts.opening}
        </p>
      )}
      {state === 'away' && (
        <div className={classes.cover}>
          <p>{texts.away}</p>
          <Button variant="default" onClick={turnOn}>
            {texts.turnOn}
          </Button>
        </div>
      )}
      {light && (
        <Button variant="default" size="sm" className={classes.light} onClick={light.toggle}>
          {light.isOn ? texts.lightOff : texts.lightOn}
        </Button>
      )}
    </div>
  )
}

type TroublesProps = { camera: Camera; scan: ReturnType<typeof useScan> }

function Troubles({ camera: { state, turnOn }, scan }: TroublesProps) {
  if (scan.isMissing) return <ErrorNotice onRetry={scan.load}>{texts.notLoaded}</ErrorNotice>
  if (scan.trouble) return <ErrorNotice>{texts.inPhoto[scan.trouble]}</ErrorNotice>
  if (state === 'refused') return <ErrorNotice onRetry={turnOn}>{texts.refused}</ErrorNotice>
  if (state === 'failed') return <ErrorNotice onRetry={turnOn}>{texts.failed}</ErrorNotice>
  return null
}
