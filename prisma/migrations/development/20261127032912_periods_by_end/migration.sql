-- CreateIndex
CREATE INDEX "maintenance_periods_monitor_num_ends_at_starts_at_idx" ON "maintenance_periods"("monitor_num", "ends_at", "starts_at");
