-- Deleting a notification deletes who has read it.
create index concurrently notification_reads_of_notification on notification_reads (notification_id);
