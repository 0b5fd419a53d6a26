import { notifications } from '@mantine/notifications'
import { IconBell } from '@tabler/icons-react'
import { texts } from './texts.ts'
import classes from './toast.module.css'

/** Only for what happened elsewhere; what a person did here is answered where it was done. */
export function toast(title: string, text?: string) {
  notifications.show({
    title,
    message: text,
    icon: <IconBell size={20} stroke={1.75} aria-hidden />,
    autoClose: 8000,
    withBorder: true,
    classNames: classes,
    closeButtonProps: { 'aria-label': texts.close, size: 36, iconSize: 18 },
    role: 'status',
  })
}
